export { type Analysis, analyze, type AnalyzedTool } from './analyze.js';
export { type ApiTool, pathOf } from './api-tool.js';
export { callOf, declarationsOf } from './declarations.js';
export { inSlices } from './in-slices.js';
export { CodeSyntaxError } from './parse-program.js';
export { type FoundTool, type SearchIndex, searchIndex } from './search.js';
export { type SummarizedTool, type Summary, summaryOf } from './summary.js';
export { WITHOUT_COMPILERS } from './without-compilers.js';
