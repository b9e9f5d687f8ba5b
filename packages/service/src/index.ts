export { type Assembled, type DataService, defineService, type Opened, type Parts } from './define-service.js';
