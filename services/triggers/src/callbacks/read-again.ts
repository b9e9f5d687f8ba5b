import { ApiError, invalid } from '@drawbridge/contracts';
import { recordEvents, tellings, type Telling } from '../events/record-events.js';
import { type Delivery, type Prisma, type Source } from '../gen/prisma/client.js';
import { eventsFor } from '../matching/events-for.js';
import { reasonOf, unreadableRequest } from '../matching/unreadable.js';

type Unread = Pick<Delivery, 'eventId' | 'orgId'>;

/**
 * Reads the event of a dead letter that the piece could not read, in case the piece was repaired since. Throws VALIDATION_ERROR if it still cannot be
 * read, and DUPLICATE if the provider has sent it again meanwhile.
 */
export async function readAgain(
  tx: Prisma.TransactionClient,
  source: Source,
  { eventId, orgId }: Unread,
): Promise<void> {
  const event = await tx.event.findFirst({ where: { id: eventId, orgId, unreadable: true } });
  if (!event) return;
  const [first, ...others] = read(source, event.payload);
  if (!first) throw invalid({ deliveryId: 'The request holds no event of this trigger' });
  const { providerId, payload, signatureHash } = first;
  const known = await tx.event.findFirst({ where: { orgId, sourceId: source.id, providerId } });
  if (known) throw new ApiError('DUPLICATE', `The event was sent again by the provider, as ${known.id}`);
  const data = { providerId, signatureHash, payload: JSON.parse(payload) as Prisma.InputJsonValue, unreadable: false };
  await tx.event.updateMany({ where: { id: eventId, orgId }, data });
  await recordEvents(tx, async () => undefined, others);
}

function read(source: Source, payload: unknown): Telling[] {
  try {
    const input = source.input as Parameters<typeof eventsFor>[0]['input'];
    return tellings(source, eventsFor({ ...source, input }, unreadableRequest(payload)));
  } catch (error) {
    throw invalid({ deliveryId: reasonOf(error) });
  }
}
