import { type ApprovalRequest as Row } from '../gen/prisma/client.js';

type Preview = Pick<Row, 'inputPreview' | 'truncatedFields' | 'omittedFields'>;

/** Whether an approver can read the whole input, apart from its secrets. */
export function isShownInFull({ inputPreview, truncatedFields, omittedFields }: Preview): boolean {
  return truncatedFields.length === 0 && omittedFields === 0 && !isCutAsWhole(inputPreview);
}

/** Requests that an earlier version opened hold the beginning of a long input in place of its fields. */
function isCutAsWhole(preview: unknown): boolean {
  const { truncated, preview: beginning } = (preview ?? {}) as Record<string, unknown>;
  return truncated === true && typeof beginning === 'string';
}
