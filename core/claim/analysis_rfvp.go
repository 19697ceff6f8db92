package claim

// rfvpAnalyses are those of RFVP's core claims.
var rfvpAnalyses = []analysis{}
