export {
  type ServiceAssembly,
  type DataService,
  defineService,
  type ServiceResources,
  type ServiceParts,
} from './define-service.js';
export { PIECES_VARIABLES } from './pieces-variables.js';
export { type PlanFit, planFit } from './plan-fit.js';
export { type FindLimit, planLimit } from './plan-limit.js';
