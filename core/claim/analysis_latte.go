package claim

// latteAnalyses are those of LATTE-CC's core claims.
var latteAnalyses = []analysis{}
