package mem

// PacketHeaderBytes is the control part of every packet (GPGPU-Sim,
// READ_PACKET_SIZE and WRITE_PACKET_SIZE).
const PacketHeaderBytes = 8

// Flits returns how many flits of flitBytes a packet with payloadBytes takes.
func Flits(payloadBytes, flitBytes int) uint8 {
	return uint8((PacketHeaderBytes + payloadBytes + flitBytes - 1) / flitBytes)
}
