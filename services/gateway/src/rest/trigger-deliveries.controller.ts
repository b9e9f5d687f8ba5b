import {
  type ListTriggerDeliveriesRequest,
  type TriggerDelivery,
  type TriggerDeliveryList,
} from '@drawbridge/proto/drawbridge/triggers/v1/deliveries';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Extension, Get, Path, Post, Queries, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

interface DeliveriesQuery extends Omit<ListTriggerDeliveriesRequest, 'id'> {}

@Route('api/v1/triggers')
@Tags('Triggers')
export class TriggerDeliveriesController extends ApiController {
  /** Events on their way to `callbackUrl`, and those that arrived or were given up, for 30 days; the newest first. */
  @Get('{id}/deliveries')
  @Extension('x-fails', ['NOT_FOUND'])
  async listTriggerDeliveries(@Path() id: Uuid, @Queries() query: DeliveriesQuery): Promise<TriggerDeliveryList> {
    return this.services.triggerDeliveries.listTriggerDeliveries({ id, ...query });
  }

  /** Tries an event again that was given up: with all its attempts, the first at once. One that is on its way, or arrived, is 409. */
  @Post('{id}/deliveries/{deliveryId}/redeliver')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  async redeliverTrigger(@Path() id: Uuid, @Path() deliveryId: Uuid): Promise<{ delivery: TriggerDelivery }> {
    return { delivery: await this.services.triggerDeliveries.redeliverTrigger({ id, deliveryId }) };
  }
}
