import { type RequestHandler } from 'express';
import { type OpenApi } from '../http/route-table.js';
import { validBody } from '../http/valid-body.js';
import { type ActionsController } from './actions.controller.js';

/** Executes an action if its body is valid. Any other body is left to the generated route, which reports what is wrong. */
export function executeDirectly(document: OpenApi, controller: ActionsController): RequestHandler {
  const isValid = validBody(document, 'ExecuteActionRequest');
  return async (request, _response, next) => {
    if (!isValid(request.body)) return next();
    await controller.executeAction(request.body, request);
  };
}
