/** For a link's signed PDF; staff are not limited. */
export const DOWNLOAD_LIMIT = { name: 'signed-pdf', points: 10, seconds: 60 }
