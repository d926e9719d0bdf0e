import type { BudgetDetail } from '../../shared/contract.ts'

/**
 * E-mail address, phone and language as the patient's record has them now. Null while unknown, and to those who may not
 * see them.
 */
export function usePatientOf(budget: () => BudgetDetail | null) {
  const clinical = useClinicalApi()
  const { can } = useSession()
  const patient = shallowRef<Awaited<ReturnType<typeof clinical.getPatient>>['data'] | null>(null)

  async function look() {
    const id = budget()?.patient_id
    if (!id || !can('clinical.read')) return
    // Without it nothing is lost: the server knows the address, and the budget its language.
    patient.value = await clinical.getPatient(id).then(({ data }) => data, () => patient.value)
  }
  watch(() => budget()?.patient_id, look, { immediate: true })
  return { patient, look }
}
