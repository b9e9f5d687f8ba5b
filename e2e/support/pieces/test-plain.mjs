import { vendorPiece } from './parts/vendor.mjs';

export const testPlain = (kit) => vendorPiece(kit, 'plain');
