export { type DataService, defineService, type ServiceResources } from './define-service.js';
export { type FindLimit, planFit, planLimit } from './plan-fit.js';
export { PIECES_VARIABLES } from './variables.js';
