/** The token of an emailed link. It comes after `#`, so that browsers never send it to a server or a log. */
export function useFragmentToken() {
  const route = useRoute()
  return computed(() => route.hash.slice(1))
}
