import { parentPort } from 'node:worker_threads';
import { type CodeError, stripBody } from '@drawbridge/sandbox';
import { analyze } from './analyze-code.js';
import { type Analyzed, type AnalysisJob } from './analyzer.js';

parentPort!.on('message', (job: AnalysisJob) => parentPort!.postMessage(analyzeProgram(job)));

/** Analyzes the code as it is, if it is JavaScript. Removes its types otherwise, as the sandbox does. */
function analyzeProgram({ code, paths }: AnalysisJob): Analyzed {
  try {
    return { analysis: analyze(code, paths) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
  }
  const stripped = stripBody(code);
  if ('error' in stripped) return stripped;
  // The library that removes types cannot be used again in this thread: the error ends it.
  if ('crashed' in stripped) throw new Error('The types of the code could not be removed');
  try {
    return { analysis: analyze(stripped.code, paths) };
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { error: toSyntaxError(error) };
  }
}

/** Parsers of JavaScript add `loc`, with the line from 1 and the column from 0. */
function toSyntaxError({ message, loc }: SyntaxError & { loc?: { line: number; column: number } }): CodeError {
  const position = loc && { line: loc.line, column: loc.column + 1 };
  return { code: 'SYNTAX_ERROR', name: 'SyntaxError', message: message.slice(0, 1_000), ...position };
}
