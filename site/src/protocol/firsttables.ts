// The lists until the engine is ready: the build puts the engine's own tables in place of
// TABLES (tools/build/bundle.go), without what only a ready engine can use.

import { learn, type Tables } from "./tables";

declare const TABLES: Tables;

learn(TABLES);
