// Takes the place of packages/code-mode, whose `analyze` and `summaryOf` have the same signatures.

/** What is known of a program before it runs. */
export interface Analysis {
  /** Paths `<alias>.<action>`, in order of first appearance; all paths if the calls are dynamic. */
  predictedTools: string[];
  unknownTools: string[];
  analysisConfidence: 'exact' | 'partial' | 'dynamic';
  dynamicSignals: string[];
  externalDomains: string[];
  storageIndicators: string[];
}

export interface ApiTool {
  alias: string;
  actionName: string;
  integrationName: string;
  integrationDisplayName: string;
  displayName: string;
  description: string;
  category: string;
  effect: string;
  inputSchema: Record<string, unknown>;
  defaultedKeys: readonly string[];
}

/** Predicts every tool: a policy of any of them is then evaluated. */
export function analyze(_code: string, paths: readonly string[]): Analysis {
  return {
    predictedTools: [...paths],
    unknownTools: [],
    analysisConfidence: 'dynamic',
    dynamicSignals: ['The code was not analyzed'],
    externalDomains: [],
    storageIndicators: [],
  };
}

export function summaryOf(
  { predictedTools }: Analysis,
  _tools: readonly ApiTool[],
): { intentSummary: string; impactSummary: string } {
  return {
    intentSummary: `A program that can call ${predictedTools.length} tools`,
    impactSummary: 'Its calls are not known before it runs',
  };
}
