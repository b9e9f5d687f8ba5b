import { type ApprovalRequest as Row } from '../gen/prisma/client.js';

type Preview = Pick<Row, 'inputPreview' | 'truncatedFields' | 'omittedFields'>;

/** Returns whether an approver can read the whole input, apart from its secrets. */
export function isShownInFull({ inputPreview, truncatedFields, omittedFields }: Preview): boolean {
  return truncatedFields.length === 0 && omittedFields === 0 && !isCutAsWhole(inputPreview);
}

/** Detects requests of earlier versions, which hold the beginning of a long input instead of its fields. */
function isCutAsWhole(preview: unknown): boolean {
  const { truncated, preview: beginning } = (preview ?? {}) as Record<string, unknown>;
  return truncated === true && typeof beginning === 'string';
}
