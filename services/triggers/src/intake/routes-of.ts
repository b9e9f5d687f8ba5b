import { type AppWebhookTrigger, type WebhookRequest } from '@drawbridge/piece-kit';

/** Returns the installations of an app that a request is about. If one trigger cannot read the request, another may. Throws if none can. */
export function routesOf(triggers: readonly AppWebhookTrigger[], request: WebhookRequest): (string | undefined)[] {
  const failures: unknown[] = [];
  const routes = triggers.flatMap((trigger) => {
    try {
      return [trigger.route(request)];
    } catch (error) {
      failures.push(error);
      return [];
    }
  });
  if (failures.length > 0 && routes.length === 0) throw failures[0];
  return routes;
}
