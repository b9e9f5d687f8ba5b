import { vendorPiece } from './parts/vendor.mjs';

export const testAtlassian = (kit) => vendorPiece(kit, 'atlassian');
