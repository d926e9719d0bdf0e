import { TOOTH_NOTATIONS, type Clinic } from '../../shared/clinic.ts'

/** As a header of `/me` has it, which names it only where it is another one than FDI. */
export const toothNotationIn = (header: string | null): Clinic['tooth_notation'] =>
  TOOTH_NOTATIONS.find(notation => notation === header) ?? 'fdi'
