import type { BudgetDetail } from '../../shared/contract.ts'

/**
 * The email address, phone and language of the patient's current record. Null until loaded, and for people who may not
 * see them.
 */
export function usePatientOf(budget: () => BudgetDetail | null) {
  const clinical = useClinicalApi()
  const { can } = useSession()
  const patient = shallowRef<Awaited<ReturnType<typeof clinical.getPatient>>['data'] | null>(null)

  async function look() {
    const id = budget()?.patient_id
    if (!id || !can('clinical.read')) return
    // A failure is ignored: the server knows the address, and the budget has its language.
    patient.value = await clinical.getPatient(id).then(({ data }) => data, () => patient.value)
  }
  watch(() => budget()?.patient_id, look, { immediate: true })
  return { patient, look }
}
