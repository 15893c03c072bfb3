{{- define "billow.labels" -}}
app.kubernetes.io/name: billow
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "billow.allLabels" -}}
{{ include "billow.labels" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version }}
{{- end }}

{{- define "billow.name" -}}
{{ printf "%s-%s" .root.Release.Name .component | trunc 63 | trimSuffix "-" }}
{{- end }}

{{/* All of a pod but its containers' own parts. */}}
{{- define "billow.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  fsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.image.pullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
topologySpreadConstraints:
  - maxSkew: 1
    topologyKey: kubernetes.io/hostname
    whenUnsatisfiable: ScheduleAnyway
    labelSelector:
      matchLabels:
        {{- include "billow.labels" . | nindent 8 }}
volumes:
  - name: data
    {{- if .root.Values.data.existingClaim }}
    persistentVolumeClaim: { claimName: {{ .root.Values.data.existingClaim | quote }} }
    {{- else }}
    emptyDir: {}
    {{- end }}
{{- end }}

{{/* A container of the image, with one command of Billow. */}}
{{- define "billow.container" -}}
name: {{ .component }}
image: "{{ required "image.repository is missing: the image of the Dockerfile in your registry" .root.Values.image.repository }}:{{ .root.Values.image.tag | default .root.Chart.AppVersion }}"
imagePullPolicy: {{ .root.Values.image.pullPolicy }}
args: [{{ .component }}]
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
env:
  - name: PUBLIC_ORIGIN
    value: {{ required "settings.PUBLIC_ORIGIN is missing: the address that browsers see" .root.Values.settings.PUBLIC_ORIGIN | quote }}
  {{- range $name, $value := omit .root.Values.settings "PUBLIC_ORIGIN" }}
  {{- if ne (toString $value) "" }}
  - name: {{ $name }}
    value: {{ $value | quote }}
  {{- end }}
  {{- end }}
envFrom:
  - secretRef:
      name: {{ required "existingSecret is missing: a Secret with DATABASE_URL and BILLOW_SECRET" .root.Values.existingSecret | quote }}
volumeMounts:
  - { name: data, mountPath: /data }
resources:
  {{- toYaml (index .root.Values .component).resources | nindent 2 }}
{{- end }}

{{- define "billow.budget" -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "billow.name" . }}
  labels:
    {{- include "billow.allLabels" . | nindent 4 }}
spec:
  maxUnavailable: {{ (index .root.Values .component).maxUnavailable }}
  selector:
    matchLabels:
      {{- include "billow.labels" . | nindent 6 }}
{{- end }}
