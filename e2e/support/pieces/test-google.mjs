import { vendorPiece } from './parts/vendor.mjs';

export const testGoogle = (kit) => vendorPiece(kit, 'google');
