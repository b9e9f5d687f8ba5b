import { toWire } from '@drawbridge/database';
import { type TriggerSource } from '@drawbridge/proto/drawbridge/triggers/v1/sources';
import { type Source } from '../gen/prisma/client.js';

export function toTriggerSource({ lastDeliveryAt: lastDelivery, ...row }: Source): TriggerSource {
  return toWire({ ...row, lastDelivery });
}
