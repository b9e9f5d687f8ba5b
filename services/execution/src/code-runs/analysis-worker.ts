import { parentPort } from 'node:worker_threads';
import { type CodeError, stripBody } from '@drawbridge/sandbox';
import { analyze, CodeSyntaxError } from '@drawbridge/code-mode';
import { type Analyzed, type AnalysisJob } from './analyzer.js';

parentPort!.on('message', (job: AnalysisJob) => parentPort!.postMessage(analyzeProgram(job)));

/** Analyzes the code. If it is not valid JavaScript, removes its TypeScript types first, as the sandbox does. */
function analyzeProgram({ code, tools }: AnalysisJob): Analyzed {
  const asJavaScript = analyzeJavaScript({ code, tools });
  if ('analysis' in asJavaScript) return asJavaScript;
  const stripped = stripBody(code);
  if ('error' in stripped) return stripped;
  // After a crash, the library that removes types cannot be used again in this thread. The error ends the thread.
  if ('crashed' in stripped) throw new Error('The types of the code could not be removed');
  return analyzeJavaScript({ code: stripped.code, tools });
}

function analyzeJavaScript({ code, tools }: AnalysisJob): Analyzed {
  try {
    return { analysis: analyze(code, tools) };
  } catch (error) {
    if (!(error instanceof CodeSyntaxError)) throw error;
    return { error: toCodeError(error) };
  }
}

function toCodeError({ name, message, line, column }: CodeSyntaxError): CodeError {
  return { code: 'SYNTAX_ERROR', name, message, line, column };
}
