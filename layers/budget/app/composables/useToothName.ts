import { isDeciduous, isRight, isUpper, toothLabel, type Area, type Notation } from '../../shared/domain/teeth.ts'

const PERMANENT = ['incisor_1', 'incisor_2', 'canine', 'premolar_1', 'premolar_2', 'molar_1', 'molar_2', 'molar_3'] as const
const MILK = ['incisor_1', 'incisor_2', 'canine', 'molar_1', 'molar_2'] as const

/** Describes the tooth of an FDI code, and its position, as text. */
export function useToothName() {
  const { t } = useI18n()
  return (code: string): { kind: string, where: string } => {
    const at = Number(code[1]) - 1
    const kind = isDeciduous(code)
      ? t(`budget.teeth.milk.${MILK[at]!}`)
      : t(`budget.teeth.kind.${PERMANENT[at]!}`)
    const where = isUpper(code)
      ? t(isRight(code) ? 'budget.teeth.where.upper_right' : 'budget.teeth.where.upper_left')
      : t(isRight(code) ? 'budget.teeth.where.lower_right' : 'budget.teeth.where.lower_left')
    return { kind, where }
  }
}

/** The number and name of a tooth, or the name of an area. */
export function usePlaceName(notation: () => Notation) {
  const { t } = useI18n()
  const nameOf = useToothName()
  return ({ tooth, area }: { tooth: string | null, area: Area | null }): string =>
    tooth
      ? t('budget.teeth.tooth', { tooth: toothLabel(tooth, notation()), ...nameOf(tooth) })
      : area ? t(`budget.teeth.area.${area}`) : ''
}
