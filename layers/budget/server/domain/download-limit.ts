/** Of a link's signed PDF; staff are not limited. */
export const DOWNLOADS = { name: 'signed-pdf', points: 10, seconds: 60 }
