// Defines the element <burst-scope> where there is a document. On a server, which renders pages in advance, nothing
// happens.
export const defined =
  typeof document === "undefined" ? Promise.resolve(false) : import("./burst-scope.js").then(() => true);
