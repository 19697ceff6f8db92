// What this browser keeps from visit to visit, if it lets the page.

export function kept(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null; // as at a first visit
  }
}

// keep answers whether the browser has kept it; null forgets.
export function keep(key: string, value: string | null): boolean {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
    return true;
  } catch {
    return false; // it lasts as long as the page
  }
}

// keptValue reads what was kept as JSON.
export function keptValue(key: string): unknown {
  try {
    return JSON.parse(kept(key) ?? "null");
  } catch {
    return null;
  }
}
