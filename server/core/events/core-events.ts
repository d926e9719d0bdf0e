/** Events of the service itself. */
export interface CoreEvents {
  /** A person's data was erased. Erase it in your system too. */
  'person.erased': {
    clinic_id: string
    patient_id: string
    /** The member who did it; null for the operator's command. */
    erased_by: string | null
  }
}
