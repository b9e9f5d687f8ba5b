// Stands in for packages/code-mode, whose exports have these signatures.

import { type CodeTool } from '@drawbridge/proto/drawbridge/execution/v1/code_runs';
import { pathOf } from './find-tool.js';

/** What is known of a program before it runs. */
export interface Analysis {
  /** Paths `<alias>.<action>`, in the order of first appearance; all paths if the calls are dynamic. */
  predictedTools: string[];
  unknownTools: string[];
  analysisConfidence: 'exact' | 'partial' | 'dynamic';
  dynamicSignals: string[];
  externalDomains: string[];
  storageIndicators: string[];
}

export type AnalyzedTool = Pick<CodeTool, 'alias' | 'actionName' | 'integrationName'>;
type SummarizedTool = Pick<CodeTool, 'alias' | 'actionName' | 'integrationDisplayName' | 'displayName' | 'category'>;

/** The program is not JavaScript. Line and column are those of the program, from 1. */
export class CodeSyntaxError extends Error {
  override readonly name = 'SyntaxError';

  constructor(
    message: string,
    readonly line: number,
    readonly column: number,
  ) {
    super(message);
  }
}

/** The statement to run in front of an analyzed program, on its first line: what the analysis cannot see must not run. */
export const WITHOUT_COMPILERS = '';

/** Predicts every tool: the policies of all tools are then evaluated. */
export function analyze(_code: string, tools: readonly AnalyzedTool[]): Analysis {
  return {
    predictedTools: tools.map(pathOf),
    unknownTools: [],
    analysisConfidence: 'dynamic',
    dynamicSignals: ['The code was not analyzed'],
    externalDomains: [],
    storageIndicators: [],
  };
}

export function summaryOf(
  { predictedTools }: Pick<Analysis, 'predictedTools'>,
  _tools: readonly SummarizedTool[],
): { intentSummary: string; impactSummary: string } {
  return {
    intentSummary: `Can call ${predictedTools.length} tools.`,
    impactSummary: 'Its calls are not known before it runs.',
  };
}
