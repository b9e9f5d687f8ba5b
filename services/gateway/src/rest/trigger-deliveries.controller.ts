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
  /** Lists deliveries to `callbackUrl` of the last 30 days, newest first: pending, delivered and failed ones. */
  @Get('{id}/deliveries')
  @Extension('x-fails', ['NOT_FOUND'])
  async listTriggerDeliveries(@Path() id: Uuid, @Queries() query: DeliveriesQuery): Promise<TriggerDeliveryList> {
    return this.services.triggerDeliveries.listTriggerDeliveries({ id, ...query });
  }

  /**
   * Redelivers an event after its delivery failed: all attempts start again, the first at once. The response is 409 if the delivery is pending
   * or delivered.
   */
  @Post('{id}/deliveries/{deliveryId}/redeliver')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  async redeliverTrigger(@Path() id: Uuid, @Path() deliveryId: Uuid): Promise<{ delivery: TriggerDelivery }> {
    return { delivery: await this.services.triggerDeliveries.redeliverTrigger({ id, deliveryId }) };
  }
}
