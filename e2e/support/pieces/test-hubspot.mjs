import { vendorPiece } from './parts/vendor.mjs';

export const testHubspot = (kit) => vendorPiece(kit, 'hubspot');
