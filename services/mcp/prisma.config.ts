export { default } from '@drawbridge/schema-engine/service.config.js';
