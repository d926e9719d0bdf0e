/** The limit for a link's signed PDF. Staff have no limit. */
export const DOWNLOAD_LIMIT = { name: 'signed-pdf', points: 10, seconds: 60 }
