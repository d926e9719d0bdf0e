/** The token of a mailed link: it stands behind `#`, which no server and no log ever sees. */
export function useFragmentToken() {
  const route = useRoute()
  return computed(() => route.hash.slice(1))
}
