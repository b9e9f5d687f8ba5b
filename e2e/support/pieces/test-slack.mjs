import { vendorPiece } from './parts/vendor.mjs';

export const testSlack = (kit) => vendorPiece(kit, 'slack');
