import {
  type ListTriggerDeliveriesRequest,
  type TriggerDelivery,
  type TriggerDeliveryDetails,
  type TriggerDeliveryList,
} from '@drawbridge/proto/drawbridge/triggers/v1/deliveries';
import { type Uuid } from '@drawbridge/proto/uuid';
import { Extension, Get, Path, Post, Queries, Route, Tags } from '@tsoa/runtime';
import { ApiController } from './api-controller.js';

interface DeliveriesQuery extends Omit<ListTriggerDeliveriesRequest, 'id'> {}

@Route('api/v1/triggers')
@Tags('Triggers')
export class TriggerDeliveriesController extends ApiController {
  /**
   * Lists deliveries of the last 30 days, newest first: pending, delivered and failed deliveries. Deliveries of a trigger without `callbackUrl` stay
   * pending, and are deleted after 30 days.
   */
  @Get('{id}/deliveries')
  @Extension('x-fails', ['NOT_FOUND'])
  async listTriggerDeliveries(@Path() id: Uuid, @Queries() query: DeliveriesQuery): Promise<TriggerDeliveryList> {
    return this.services.triggerDeliveries.listTriggerDeliveries({ id, ...query });
  }

  /**
   * Returns a delivery with the body of its callback, as a receiver gets it. `body` is null after the callback is delivered, because the event is then
   * deleted.
   */
  @Get('{id}/deliveries/{deliveryId}')
  @Extension('x-fails', ['NOT_FOUND'])
  async getTriggerDelivery(@Path() id: Uuid, @Path() deliveryId: Uuid): Promise<TriggerDeliveryDetails> {
    return this.services.triggerDeliveries.getTriggerDelivery({ id, deliveryId });
  }

  /**
   * Redelivers an event. A dead letter gets all its attempts again, the first of them immediately. For a delivery that waits for a retry, this is the
   * next attempt. A delivery that is being sent is returned unchanged, and so is a delivery of a trigger without `callbackUrl`. The response is 409 if
   * the delivery succeeded.
   */
  @Post('{id}/deliveries/{deliveryId}/redeliver')
  @Extension('x-fails', ['NOT_FOUND', 'DUPLICATE'])
  async redeliverTrigger(@Path() id: Uuid, @Path() deliveryId: Uuid): Promise<{ delivery: TriggerDelivery }> {
    return { delivery: await this.services.triggerDeliveries.redeliverTrigger({ id, deliveryId }) };
  }
}
