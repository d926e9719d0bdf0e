/** The token of a mailed link: it stands behind `#`, which no server and no log ever sees. */
export const useFragmentToken = () => decodeURIComponent(useRoute().hash.slice(1))
