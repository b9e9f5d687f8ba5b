import { cutText, makeVisible } from '@drawbridge/contracts';
import { fillSummary } from '@drawbridge/piece-kit';
import { findPiece } from '@drawbridge/pieces';
import { type ApprovalRequest as Row } from '../gen/prisma/client.js';

/** Maximum length of a value in the summary, because a longer value would hide the rest of the sentence. */
const MAX_VALUE = 60;

type Said = Pick<Row, 'integrationName' | 'actionName' | 'redactedPaths' | 'truncatedFields'> & {
  inputPreview: unknown;
};

/**
 * Returns the sentence with which the action summarizes a call, filled with values of the input. Returns undefined if the action has no summary, or
 * if a value is missing, hidden or not a text.
 */
export function summaryOf({ integrationName, actionName, ...row }: Said): string | undefined {
  const actions = findPiece(integrationName)?.actions ?? {};
  const summary = Object.hasOwn(actions, actionName) ? actions[actionName]?.summary : undefined;
  return summary === undefined ? undefined : fillSummary(summary, (name) => quoted(row, name));
}

function quoted(
  { inputPreview, redactedPaths, truncatedFields }: Omit<Said, 'integrationName' | 'actionName'>,
  name: string,
) {
  const input = (inputPreview ?? {}) as Record<string, unknown>;
  const value = Object.hasOwn(input, name) ? input[name] : undefined;
  const isHidden = truncatedFields.includes(name) || redactedPaths.some((path) => isBelow(path, name));
  const text = typeof value === 'number' ? String(value) : isTexts(value) ? value.join(', ') : value;
  if (isHidden || typeof text !== 'string' || text.trim() === '') return undefined;
  // The summary can shorten the value, because the page displays the complete value below.
  const line = makeVisible(text.replaceAll(/\s+/g, ' ').trim()).replaceAll(/[“”]/g, '"');
  const cut = cutText(line, MAX_VALUE);
  return `“${cut === line ? cut : `${cut}…`}”`;
}

const isBelow = (path: string, name: string): boolean =>
  path === name || path.startsWith(`${name}.`) || path.startsWith(`${name}[`);

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === 'string');
