package e2e

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/chromedp/cdproto/cdp"
	cdplog "github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// quiet listens for what no page may do: log an error or a warning, or ask another
// host for anything.
type quiet struct {
	home string // the page's own origin
	mu   sync.Mutex
	said []string
}

// listen is set up before a page is loaded.
func (q *quiet) listen() chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		if err := chromedp.Listen(ctx, q.hear); err != nil {
			return err
		}
		if _, err := cdp.Call(ctx, t, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, t, cdplog.Enable, cdp.Empty{})
		return err
	})
}

func (q *quiet) hear(event any) {
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		url := e.Request.URL
		if !strings.HasPrefix(url, q.home) && !strings.HasPrefix(url, "data:") && !strings.HasPrefix(url, "blob:") && !strings.HasPrefix(url, "about:") {
			q.note("asked for " + url)
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning || e.Type == runtime.ConsoleAPICalledTypeAssert {
			var words []string
			for _, a := range e.Args {
				words = append(words, string(a.Value)+a.Description)
			}
			q.note(fmt.Sprintf("logged a %s: %s", e.Type, strings.Join(words, " ")))
		}
	case *cdplog.EventEntryAdded:
		if e.Entry.Level == cdplog.EntryLevelError {
			q.note(fmt.Sprintf("made the browser log: %s %s", e.Entry.Text, e.Entry.URL))
		}
	}
}

func (q *quiet) note(s string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.said = append(q.said, s)
}

// faults are what was heard.
func (q *quiet) faults() []string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.said
}
