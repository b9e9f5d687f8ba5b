export {
  type ServiceAssembly,
  type DataService,
  defineService,
  type ServiceResources,
  type ServiceParts,
} from './define-service.js';
