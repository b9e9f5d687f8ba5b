import { makeNameVisible } from '@drawbridge/contracts';
import { type Analysis } from './analyze.js';
import { type ApiTool, pathOf } from './api-tool.js';
import { toLine } from './source-text.js';

export interface Summary {
  /** The calls of the program: `Calls 2 tools of Slack and GitHub: send message, create issue.` */
  intentSummary: string;
  /** The effects of the calls: `Sends messages with Slack. Reads from GitHub.` */
  impactSummary: string;
}

/** The properties of a tool that the summary uses. */
export type SummarizedTool = Pick<
  ApiTool,
  'alias' | 'actionName' | 'integrationDisplayName' | 'displayName' | 'category'
>;

const MAX_APPS = 5;
const MAX_TOOLS = 8;
const MAX_NAME = 50;

/** The sentences for each category, most severe first. */
const IMPACTS: readonly (readonly [string, (apps: string) => string])[] = [
  ['payment', (apps) => `Makes or changes payments with ${apps}`],
  ['delete', (apps) => `Deletes data in ${apps}`],
  ['admin', (apps) => `Changes permissions or settings in ${apps}`],
  ['code', (apps) => `Runs code with ${apps}`],
  ['send', (apps) => `Sends messages with ${apps}`],
  ['write', (apps) => `Creates or changes data in ${apps}`],
  ['read', (apps) => `Reads from ${apps}`],
];

/** Returns two short texts for an approver. Names of tools and integrations are shortened, and deceptive characters are made visible. */
export function summaryOf(
  analysis: Pick<Analysis, 'predictedTools' | 'analysisConfidence'>,
  tools: readonly SummarizedTool[],
): Summary {
  const byPath = new Map(tools.map((tool) => [pathOf(tool), tool]));
  const called = analysis.predictedTools.map((path) => byPath.get(path)).filter((tool) => tool !== undefined);
  const impact = toImpact(called);
  const isOpen = analysis.analysisConfidence === 'dynamic' && called.length > 0;
  return {
    intentSummary: toIntent(called, analysis.analysisConfidence),
    impactSummary: isOpen ? `Possible effects: ${impact}` : impact,
  };
}

function toIntent(called: readonly SummarizedTool[], confidence: Analysis['analysisConfidence']): string {
  if (called.length === 0) return 'Calls no tool.';
  const count = called.length === 1 ? '1 tool' : `${called.length} tools`;
  const apps = toApps(called);
  if (confidence !== 'dynamic') return `Calls ${count} of ${apps}: ${toNames(called)}.`;
  return `Can call ${called.length === 1 ? count : `any of ${count}`} of ${apps}: its calls cannot be predicted.`;
}

function toImpact(called: readonly SummarizedTool[]): string {
  const known = new Set(IMPACTS.map(([category]) => category));
  const sentences = IMPACTS.flatMap(([category, sentence]) => {
    // An unknown category, which a later version may send, counts as a write.
    const group = called.filter((tool) => (known.has(tool.category) ? tool.category : 'write') === category);
    return group.length === 0 ? [] : [`${sentence(toApps(group))}.`];
  });
  return sentences.length === 0 ? 'Changes nothing outside of the program.' : sentences.join(' ');
}

function toApps(tools: readonly SummarizedTool[]): string {
  const names = new Set(tools.map(({ integrationDisplayName, alias }) => toName(integrationDisplayName || alias)));
  return toList([...names], { most: MAX_APPS, last: 'and' });
}

function toNames(tools: readonly SummarizedTool[]): string {
  const names = new Set(tools.map(({ displayName, actionName }) => lowerFirst(toName(displayName || actionName))));
  return toList([...names], { most: MAX_TOOLS, last: ',' });
}

function toList(names: readonly string[], { most, last }: { most: number; last: 'and' | ',' }): string {
  if (names.length > most) return `${names.slice(0, most).join(', ')} and ${names.length - most} more`;
  if (last === ',' || names.length < 2) return names.join(', ');
  return `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function toName(name: string): string {
  return toLine(makeNameVisible(toLine(name, MAX_NAME)), 2 * MAX_NAME);
}

/** Names such as `URL` and `GitHub` stay unchanged. */
function lowerFirst(name: string): string {
  return /^\p{Lu}\p{Ll}/u.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}
