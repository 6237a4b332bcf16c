export * from '@copilotkit/aimock'
