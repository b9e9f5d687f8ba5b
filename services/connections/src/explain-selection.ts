import { refused } from '@drawbridge/contracts';
import {
  type ConnectionExplanation,
  type SelectConnectionRequest,
} from '@drawbridge/proto/drawbridge/connections/v1/vault';
import { type FindCandidates } from './find-candidates.js';
import { selectConnection } from './select-connection.js';
import { whyLost, whyUsed } from './why-lost.js';

/** Explains which connection an execution would use, by the rule that selects it, and why each of the others that it can see is not used. */
export async function explainSelection(
  find: FindCandidates,
  orgId: string,
  request: SelectConnectionRequest,
): Promise<ConnectionExplanation> {
  const { externalId, connectionStrategy: strategy, connectionId } = request;
  let usedId: string | undefined;
  const refusal = await refused(async () => (usedId = (await selectConnection(find, orgId, request))?.id));
  const all = await find.seen({ ...request, orgId }, usedId);
  const selection = { externalId, strategy, connectionId, usedId };
  const used = all.find(({ id }) => id === usedId);
  const lost = all.filter((one) => one !== used);
  return {
    refusal,
    used: used && { ...used, reason: whyUsed(selection) },
    lost: lost.map((one) => ({ ...one, reason: whyLost(one, all, selection) })),
  };
}
