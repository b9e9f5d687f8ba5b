export {
  type ServiceAssembly,
  type DataService,
  defineService,
  type ServiceResources,
  type ServiceParts,
} from './define-service.js';
export { type PlanFit, planFit } from './plan-fit.js';
