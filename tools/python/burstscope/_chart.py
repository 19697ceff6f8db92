"""Bar charts as SVG, for a notebook or a paper, without a library for drawing."""

import collections.abc
import html
import math
import numbers
import pathlib

# Colours that readers with colour blindness can tell apart: Okabe and Ito, Color Universal Design, 2008.
_COLOURS = ("#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00")
_WIDTH, _HEIGHT, _LEFT, _TOP, _BOTTOM = 640, 300, 84, 34, 54


class Chart:
    """A drawing. A notebook shows it; save writes it as an SVG file."""

    def __init__(self, svg):
        self.svg = svg

    def _repr_svg_(self):
        return self.svg

    def save(self, path):
        pathlib.Path(path).write_text(self.svg + "\n", encoding="utf-8")


def figure(rows, x, y, series=None, title=None):
    """Draws y of the rows of a sweep over x, with a bar of its own colour for each value of series."""
    for name in (x, y, series):
        if name and any(name not in r for r in rows):
            raise ValueError(f"the rows have no column {name}: use one of {', '.join(rows[0])}")
    for i, r in enumerate(rows):
        if not _finite(r[y]):
            raise ValueError(f"row {i}: {y} is {str(r[y])[:40]!r}, and not a finite number: choose rows with where()")
        for name in (x, series) if series else (x,):
            if isinstance(r[name], (dict, list, set)) or not isinstance(r[name], collections.abc.Hashable):
                raise ValueError(f"row {i}: {name} is {type(r[name]).__name__}, and no value beside others: use another column")
    points = list(dict.fromkeys(r[x] for r in rows))
    names = list(dict.fromkeys(r[series] for r in rows)) if series else [y]
    if not points or len(names) > len(_COLOURS):
        raise ValueError(f"a figure needs a row, and at most {len(_COLOURS)} values of {series}: choose rows with where()")
    value = {(r[x], r[series] if series else y): r[y] for r in rows}
    if len(value) < len(rows):
        raise ValueError(f"several rows have the same {x}{f' and {series}' if series else ''}: choose rows with where()")
    top = max(max(value.values()), 0) or 1
    inner, height = _WIDTH - _LEFT - 12, _HEIGHT - _TOP - _BOTTOM
    out = [_text(_LEFT, 18, title or f"{y} by {x}", "start", 'font-weight="bold"')]
    for i in range(5):
        at = _TOP + height - height * i / 4
        out.append(f'<path d="M{_LEFT} {at:.1f}h{inner}" stroke="#ccc"/>')
        out.append(_text(_LEFT - 8, at + 4, _short(top * (i / 4)), "end"))
    group = inner / len(points)
    bar = group * 0.8 / len(names)
    for i, point in enumerate(points):
        out.append(_text(_LEFT + group * (i + 0.5), _HEIGHT - _BOTTOM + 16, point, "middle"))
        for k, name in enumerate(names):
            if (point, name) not in value:
                continue
            v = value[point, name]
            h = height * (max(v, 0) / top)
            out.append(
                f'<rect x="{_LEFT + group * (i + 0.1) + bar * k:.1f}" y="{_TOP + height - h:.1f}" width="{bar * 0.92:.1f}" height="{h:.1f}"'
                f' fill="{_COLOURS[k]}"><title>{_escaped(f"{x} {point}, {name}: {v}")}</title></rect>'
            )
    out.append(_text(_LEFT + inner / 2, _HEIGHT - _BOTTOM + 32, x, "middle"))
    for k, name in enumerate(names):
        at = _LEFT + inner * k / len(names)
        out.append(f'<rect x="{at:.1f}" y="{_HEIGHT - 14}" width="10" height="10" fill="{_COLOURS[k]}"/>')
        out.append(_text(at + 14, _HEIGHT - 5, name, "start"))
    return Chart(
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" width="{_WIDTH}" height="{_HEIGHT}"'
        ' font-family="sans-serif" font-size="12" role="img">' + "".join(out) + "</svg>"
    )


def _text(x, y, text, anchor, more=""):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" {more}>{_escaped(text)}</text>'


def _escaped(text):
    """Returns a text for SVG, which has no control characters."""
    return html.escape("".join(c if c.isprintable() else "\ufffd" for c in str(text)))


def _finite(v):
    try:
        return isinstance(v, numbers.Real) and not isinstance(v, bool) and math.isfinite(v)
    except OverflowError:  # a whole number above every float
        return False


def _short(v):
    for size, unit in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if v >= size:
            return f"{v / size:.3g} {unit}"
    return f"{v:.3g}"
