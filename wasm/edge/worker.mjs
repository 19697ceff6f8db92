// What Cloudflare starts. It hands requests to the Go program in build/ and
// answers for it where it cannot answer itself: an address that Go's parser does
// not read, and a program that ends.

import program from "./build/worker.mjs";

function problem(status, title, detail, where, mend) {
  return new Response(JSON.stringify({ type: "about:blank", title, status, detail, where, mend }), {
    status,
    headers: {
      "Content-Type": "application/problem+json",
      "X-Content-Type-Options": "nosniff",
      "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
      "Cache-Control": "no-store",
    },
  });
}

export default {
  async fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (/%(?![0-9a-f]{2})/i.test(pathname)) {
      return problem(400, "Bad Request", "the path holds a % that escapes nothing", "path", "write the address as it was given");
    }
    try {
      return await program.fetch(request, env, context);
    } catch (e) {
      console.error(e);
      return problem(500, "Internal Server Error", "the server failed on this request", "", "try again; the scenario is not at fault");
    }
  },
};
