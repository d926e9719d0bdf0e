/** The newest requests of a budget or invoice, each with its attempts. */
export function usePaymentRequests(filter: () => { budget_id: string } | { invoice_id: string }) {
  const payments = usePaymentsApi()
  const { data, error, loading, load } = useLoaded(async (signal) => {
    const { data: rows } = await payments.listRequests({ ...filter(), page_size: 20 }, signal)
    return await Promise.all(rows.map(async ({ id }) => (await payments.getRequest(id, signal)).data))
  }, filter)
  return { requests: data, error, loading, load }
}
