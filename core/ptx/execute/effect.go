package execute

// Effect is what the caller must do after Warp.Execute.
type Effect uint8

const (
	// EffectNone: the instruction is complete; its results are in the registers
	// (the caller's scoreboard decides when they may be used).
	EffectNone Effect = iota
	// EffectMemory: Env.Access describes an access to global, shared or local
	// memory that the caller performs. Loads bind later, by Warp.LoadLine or
	// Warp.AccessShared.
	EffectMemory
	// EffectTexture: Env.Fetch describes a texture instruction. The caller reads the texels
	// into it and calls Warp.BindFetch.
	EffectTexture
	// EffectBarrier: the warp has arrived at a barrier: call CTA.Arrive.
	EffectBarrier
	// EffectGroup: the warp has executed wgmma.mma_async. It waits for the others of its warp group while Warp.AtBarrier
	// says so; the last one to come lets all go on.
	EffectGroup
	// EffectGroupWait: the warp waits for its groups of wgmma.mma_async, of which as many may be open as the instruction's
	// Imm says.
	EffectGroupWait
	// EffectFence: a membar or fence, or the order of an access with .release or .acquire: the warp waits as the
	// instruction's Imm says (ptx.FenceStores and its kin).
	EffectFence
	// EffectExit: all lanes have left the kernel.
	EffectExit
	// EffectFault: the program did something it must not; Warp.Fault says what.
	EffectFault
)
