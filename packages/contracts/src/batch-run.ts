/** A program of Code Mode, in the form in which its approval request displays it. */
export interface BatchRun {
  intentSummary: string;
  impactSummary: string;
  /** The listed calls by application. */
  apps: BatchApp[];
  /** The number of predicted calls that are not listed. */
  moreCalls: number;
  analysisConfidence: 'exact' | 'partial' | 'dynamic';
  dynamicSignals: string[];
  externalDomains: string[];
  storageIndicators: string[];
}

export interface BatchApp {
  /** The display name of the application, or its alias. */
  name: string;
  alias: string;
  /** Calls that need an approval come first. */
  calls: BatchCall[];
}

export interface BatchCall {
  actionName: string;
  /** The approval that the call needs: the approval that is shown, or another approval of the run. Absent if it needs none. */
  needs?: 'this' | 'another';
}

type Preview = Readonly<Record<string, unknown>>;

/**
 * Reads the preview of a batch run. A field that is absent or has another type counts as empty, and an unknown confidence as `dynamic`, because a
 * page must display requests that any version has stored.
 */
export function toBatchRun({ id, inputPreview = {} }: { id: string; inputPreview?: Preview }): BatchRun {
  const { intentSummary, impactSummary, predictedToolCount, analysisConfidence: given } = inputPreview;
  const { paths, needs } = callsOf(id, inputPreview);
  const known = (['exact', 'partial'] as const).find((one) => one === given);
  const listed = textsOf(inputPreview['predictedTools']).length;
  return {
    intentSummary: typeof intentSummary === 'string' ? intentSummary : '',
    impactSummary: typeof impactSummary === 'string' ? impactSummary : '',
    apps: byApplication(paths, { needs, names: namesOf(inputPreview['availableApps']) }),
    moreCalls: typeof predictedToolCount === 'number' ? Math.max(0, predictedToolCount - listed) : 0,
    analysisConfidence: known ?? 'dynamic',
    dynamicSignals: textsOf(inputPreview['dynamicSignals']),
    externalDomains: textsOf(inputPreview['externalDomains']),
    storageIndicators: textsOf(inputPreview['storageIndicators']),
  };
}

type Needs = ReadonlyMap<string, BatchCall['needs']>;

/**
 * Returns the paths of all tools in a preview, with the approvals that they need. `approvalGroups` can contain tools that are missing in
 * `predictedTools`, which is shortened.
 */
function callsOf(id: string, { predictedTools, approvalGroups }: Preview): { paths: Set<string>; needs: Needs } {
  const needs = new Map<string, BatchCall['needs']>();
  for (const group of listOf(approvalGroups)) {
    const { approvalId, tools } = toObject(group);
    for (const path of textsOf(tools)) needs.set(path, approvalId === id ? 'this' : 'another');
  }
  return { paths: new Set([...textsOf(predictedTools), ...needs.keys()]), needs };
}

/** Returns the display names of the applications by their aliases. */
function namesOf(apps: unknown): Map<string, string> {
  const named = listOf(apps).map(toObject);
  return new Map(
    named.flatMap(({ alias, displayName }) => (isText(alias) && isText(displayName) ? [[alias, displayName]] : [])),
  );
}

function byApplication(paths: ReadonlySet<string>, { needs, names }: { needs: Needs; names: Map<string, string> }) {
  const apps = new Map<string, BatchApp>();
  for (const path of paths) {
    const dot = path.indexOf('.');
    const alias = path.slice(0, Math.max(0, dot));
    const app = apps.get(alias) ?? { alias, name: names.get(alias) ?? alias, calls: [] };
    app.calls.push({ actionName: path.slice(dot + 1), needs: needs.get(path) });
    apps.set(alias, app);
  }
  const rank = ({ needs: which }: BatchCall): number => (which === undefined ? 2 : which === 'another' ? 1 : 0);
  for (const { calls } of apps.values()) calls.sort((one, other) => rank(one) - rank(other));
  return [...apps.values()];
}

const isText = (value: unknown): value is string => typeof value === 'string';

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsOf(value: unknown): string[] {
  return listOf(value).filter(isText);
}

function toObject(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
