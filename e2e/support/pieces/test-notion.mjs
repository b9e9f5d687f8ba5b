import { vendorPiece } from './parts/vendor.mjs';

export const testNotion = (kit) => vendorPiece(kit, 'notion');
